/// Takes a result that nobody asks for, so that the work behind it is not optimised away.
@inline(never)
@_optimize(none)
func blackHole(_ result: Int) {}
