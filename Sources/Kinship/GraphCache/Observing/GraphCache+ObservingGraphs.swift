extension GraphCache {
  /// Registers an observer of a graph, and walks what is in memory.
  func startObserver<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>?
  ) throws(KinshipError) -> (Observer, (graph: Graph<Root>?, isPartial: Bool)) {
    let observer = startObserver(.records([try need(root)]))
    let (graph, isPartial, version) = try graphInMemory(of: root, plan)
    if let graph { _ = observe(graph, of: version, for: observer) }
    return (observer, (graph, isPartial))
  }

  /// Loads an observer's graph, and makes the observer follow the graph's current records.
  ///
  /// - Returns: The graph, or `nil` if its root does not exist; and the marks that it already
  ///   includes.
  func graph<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>?, for observer: Observer
  ) async throws -> (Graph<Root>?, Marks<AnyRef, any GraphRecord>) {
    let walk: Walk
    do {
      walk = try await self.walk([leg(from: root, plan, generation: 0)])
    } catch KinshipError.missing {
      let need = try need(root)
      state.withLock { $0.observers.setInterest(of: observer.id, to: .records([need])) }
      observer.keep(nil)
      return (nil, Marks())
    }
    let graph = Graph<Root>(walk.storage)
    return (graph, observe(graph, of: walk.version, for: observer))
  }

  func drainMarksOnActor(_ observer: Observer) -> Marks<AnyRef, any GraphRecord> {
    state.withLock { $0.observers.takeAll(observer.id) }
  }

  /// Makes an observer follow the records of a graph.
  ///
  /// - Returns: The marks that the graph already includes.
  private func observe<Root: GraphRecord>(
    _ graph: Graph<Root>, of version: UInt64, for observer: Observer
  ) -> Marks<AnyRef, any GraphRecord> {
    let interest = graph.interest
    let (marks, isOutdated) = state.withLock { state in
      state.observers.setInterest(of: observer.id, to: interest)
      return (state.observers.takeAll(observer.id), state.map.version != version)
    }
    if isOutdated {
      // Writes made after the walk are not in the graph.
      for ids in graph.observedIDs.flatMap({ schema.type($0.type).chunks(of: $0) }) {
        state.withLock { $0.publishChange(.invalidated, of: ids) }
      }
    }
    tellListeners()
    if store == nil { observer.keep(lease(graph)) }
    return marks
  }

  /// Walks what is in memory, leaving missing records unloaded.
  ///
  /// - Returns: The graph, or `nil` if its root is not in memory; whether something was left out;
  ///   and the version.
  nonisolated func graphInMemory<Root: GraphRecord>(
    of root: Ref<Root>, _ plan: Plan<Root>?
  ) throws(KinshipError) -> (graph: Graph<Root>?, isPartial: Bool, version: UInt64) {
    guard let walk = walkInMemory(try leg(from: root, plan, generation: 0)) else {
      return (nil, true, 0)
    }
    let isThere = walk.found.missingRoot == nil
    let graph = isThere ? Graph<Root>(GraphStorage(walk, schema: schema)) : nil
    return (graph, walk.found.isPartial, walk.found.version)
  }

  /// Walks along a leg until it needs a record that is not in memory; `nil` while the map applies a
  /// commit.
  nonisolated func walkInMemory(_ leg: Traversal.Leg) -> Traversal? {
    var traversals = state.withLock { makeTraversals([[leg]], loads: false, &$0) }
    while true {
      traversals.tidy()
      // An observer must not see half of a commit that the map applies in chunks.
      switch state.withLock({ state in
        state.applying == nil && !state.isTooStale ? state.advance(&traversals) : nil
      }) {
      case nil:
        end(&traversals)
        return nil
      case .again: continue
      case .finished, .failedRoot, .needs:
        end(&traversals)
        return traversals.walks[0]
      }
    }
  }

  private func need<R: GraphRecord>(_ ref: Ref<R>) throws(KinshipError) -> IDs {
    IDs([ref.id], of: try schema.requiredNumber(of: R.self))
  }
}
