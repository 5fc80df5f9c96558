# Comparisons for scripts that try the installed programs.
passed=0
failed=0

# Compares a text with what standard input expects.
expect() {
  if difference=$(diff - <(if [[ $2 ]]; then printf '%s\n' "$2"; fi)); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'error: %s is not as expected:\n%s\n' "$1" "$difference" >&2
  fi
}

# Says how it went.
finish() {
  printf '%s passed, %s failed\n' "$passed" "$failed"
  ((failed == 0))
}
