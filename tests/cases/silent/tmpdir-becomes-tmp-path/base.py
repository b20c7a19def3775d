from shop.core import parse


def test_file(tmpdir):
    target = tmpdir.join("in.txt")
    target.write("7")
    assert parse(target.read()) == 7
    assert target.check()
