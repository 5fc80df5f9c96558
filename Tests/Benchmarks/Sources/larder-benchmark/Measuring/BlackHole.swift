// What these get, the compiler has to have computed.

@inline(never) @_optimize(none)
func consume(_ value: Int) {}

@inline(never) @_optimize(none)
func consume(_ value: Bool) {}

@inline(never) @_optimize(none)
func consume(_ value: String?) {}

@inline(never) @_optimize(none)
func consume(_ value: Any?) {}
