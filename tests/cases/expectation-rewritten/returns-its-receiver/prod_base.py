class ParseError(ValueError):
    pass


class Answer:
    def __init__(self, text):
        self.text = text

    def check(self):
        if not self.text.isdigit():
            raise ParseError(self.text)


def request(text):
    return Answer(text)
