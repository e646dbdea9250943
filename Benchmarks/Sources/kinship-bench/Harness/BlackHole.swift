/// Takes an unused result, so that its computation is not optimised away.
@inline(never)
@_optimize(none)
func blackHole(_ result: Int) {}
