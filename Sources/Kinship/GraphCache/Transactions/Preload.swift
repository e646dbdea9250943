extension GraphCache {
  /// Data to load before a transaction begins.
  public struct Preload: Sendable {
    let load: @Sendable (GraphCache) async throws -> [Lease]

    /// Loads records, if they exist.
    ///
    /// - Parameter refs: Refs to the records.
    /// - Returns: The preload.
    public static func records<R: GraphRecord>(_ refs: [Ref<R>]) -> Preload {
      Preload { cache in
        let lease = cache.lease(refs)
        _ = try await cache.findUnrecorded(refs)
        return [lease]
      }
    }

    /// Loads the records of a graph.
    ///
    /// - Parameters:
    ///   - root: A ref to the root.
    ///   - plan: The relationships to follow, and how far.
    /// - Returns: The preload. If the root does not exist, it loads nothing.
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
