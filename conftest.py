"""What the tests of every package share."""

pytest_plugins = ["tests.fixtures", "tests.unsteady"]
