rm -rf build
