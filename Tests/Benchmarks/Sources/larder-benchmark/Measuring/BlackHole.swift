// Functions that keep the compiler from eliminating the computation of their arguments.

@inline(never) @_optimize(none)
func consume(_ value: Int) {}

@inline(never) @_optimize(none)
func consume(_ value: Bool) {}

@inline(never) @_optimize(none)
func consume(_ value: String?) {}

@inline(never) @_optimize(none)
func consume(_ value: Any?) {}
