# Comparisons for the scripts that test the installed programs.
passed=0
failed=0

# Compares a text with standard input.
expect() {
  if difference=$(diff - <(if [[ $2 ]]; then printf '%s\n' "$2"; fi)); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'error: %s is not as expected:\n%s\n' "$1" "$difference" >&2
  fi
}

# Prints the counts, and fails if any comparison has failed.
finish() {
  printf '%s passed, %s failed\n' "$passed" "$failed"
  ((failed == 0))
}
