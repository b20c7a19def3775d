pytest_plugins = ["tests.helpers"]
