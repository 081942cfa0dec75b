git ls-files -- '*.cpp' '*.hpp' | xargs -r clang-format-19 -i
