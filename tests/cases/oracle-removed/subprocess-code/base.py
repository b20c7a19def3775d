import subprocess

def test_program():
    done = subprocess.run(["python", "-m", "shop"], capture_output=True)
    assert done.returncode == 0  # oracle-removed
    assert done.stdout == b"hi\n"
