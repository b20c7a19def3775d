from tests.helpers import run

def test_program(make_repo):
    repo = make_repo()
    assert [] == run(repo.root, "x").rejecting
