/// What the map does to capture and to restore values of a type that it knows by number only.
struct CaptureOperations: Sendable {
  /// Puts one of a list of values back, with the stamp of when it was learnt, unless its id is asked for.
  typealias Restore =
    @Sendable (inout IdentityMap, Int, Stamp) -> RestoreResult

  /// Takes the values that slots had at the captured moment, as an array of the type.
  let take: @Sendable (inout IdentityMap, ContiguousArray<Slot>) -> any Sendable
  let beginMissing: @Sendable (inout IdentityMap) -> Void
  /// Takes some of the ids that were known missing at the captured moment, as an array; nothing once all
  /// were taken.
  let takeMissing: @Sendable (inout IdentityMap, Int) -> (any Sendable)?
  let endMissing: @Sendable (inout IdentityMap) -> Void
  /// Begins to note of which ids more is learnt than what is restored can know: those that the store is
  /// about to change are the first.
  let beginRestoring: @Sendable (inout IdentityMap) -> Void
  /// Notes that more is known of an array of ids.
  let outdate: @Sendable (inout IdentityMap, any Sendable) -> Void
  let endRestoring: @Sendable (inout IdentityMap) -> Void
  /// What puts the values of an array back; nothing if it is of another type.
  let restore: @Sendable (any Sendable) -> Restore?
  /// Notes again that an array of ids do not exist, but for those that are asked for; returns those of
  /// which nothing was known.
  let restoreMissing: @Sendable (inout IdentityMap, any Sendable) -> (any Sendable, Int)

  init<Element: Cacheable>(of type: Element.Type) {
    take = { map, slots in
      var values: [Element] = []
      values.reserveCapacity(slots.count)
      for slot in slots {
        if let value = map.captured.take(slot, as: Element.self, from: map.pages) {
          values.append(value)
        }
      }
      return values
    }
    beginMissing = { map in map.table(Element.self)?.pointee.missing.beginCapture() }
    takeMissing = { map, limit in
      map.table(Element.self)?.pointee.missing.takeCaptured(limit: limit)
    }
    endMissing = { map in map.table(Element.self)?.pointee.missing.endCapture() }
    beginRestoring = { map in
      guard let table = map.table(Element.self) else { return }
      table.pointee.outdated = table.pointee.barred
    }
    outdate = { map, ids in
      map.table(Element.self)?.pointee.outdated.formUnion(ids as? [Element.ID] ?? [])
    }
    endRestoring = { map in map.table(Element.self)?.pointee.outdated = [] }
    restore = { values in
      guard let values = values as? [Element] else { return nil }
      return { map, index, stamp in
        guard let table = map.table(Element.self), values.indices.contains(index) else {
          return .known
        }
        return map.restore(values[index], stamp, in: table)
      }
    }
    restoreMissing = { map, ids in
      guard let table = map.table(Element.self) else { return ([Element.ID](), 0) }
      let restored = (ids as? [Element.ID] ?? []).filter {
        map.restoreMissing($0, in: table)
      }
      return (restored, restored.count)
    }
  }
}
