import warnings

warnings.simplefilter("default")
