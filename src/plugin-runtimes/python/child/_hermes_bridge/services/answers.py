"""A model's answer as plugins read it: by attribute, as a provider's library returns it, and by key."""


class Answer(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value

    def model_dump(self, **_):
        return dict(self)


def answer_of(value):
    if isinstance(value, dict):
        return Answer((key, answer_of(item)) for key, item in value.items())
    if isinstance(value, list):
        return [answer_of(item) for item in value]
    return value
