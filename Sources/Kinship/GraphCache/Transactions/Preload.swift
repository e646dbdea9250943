extension GraphCache {
  /// What a transaction needs, to be in memory before it begins.
  public struct Preload: Sendable {
    let load: @Sendable (GraphCache) async throws -> [Lease]

    /// Records, as far as they exist.
    ///
    /// - Parameter refs: The refs that name them.
    /// - Returns: The need.
    public static func records<R: GraphRecord>(_ refs: [Ref<R>]) -> Preload {
      Preload { cache in
        let lease = cache.lease(refs)
        _ = try await cache.findUnwatched(refs)
        return [lease]
      }
    }

    /// A record, if it exists.
    ///
    /// - Parameter ref: The ref that names it.
    /// - Returns: The need.
    public static func record<R: GraphRecord>(_ ref: Ref<R>) -> Preload { records([ref]) }

    /// The records of a graph.
    ///
    /// - Parameters:
    ///   - root: The ref that names the root.
    ///   - plan: Which relationships to follow, and how far.
    /// - Returns: The need. If the root does not exist, there is nothing to load.
    public static func graph<R: GraphRecord>(of root: Ref<R>, _ plan: Plan<R>) -> Preload {
      Preload { cache in
        do {
          return [cache.lease(try await cache.graph(of: root, plan))]
        } catch KinshipError.missing {
          return []
        }
      }
    }
  }
}
