from server import count


def test_count():
    assert count() == 3
