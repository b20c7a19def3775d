collect_ignore = ["test_case.py"]  # collection-tampered
