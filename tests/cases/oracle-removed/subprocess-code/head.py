import subprocess

def test_program():
    done = subprocess.run(["python", "-m", "shop"], capture_output=True)
    assert done.stdout == b"hi\n"
