"""Make pytester available to the whole suite."""

pytest_plugins = ["pytester"]
