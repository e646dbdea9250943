/// The operations on values of a type that the map knows only by number, where speed matters.
///
/// These closures are created where the compiler knows the type, in the module that declares it,
/// and so are specialised for it: through generic code of another module they would cost several
/// times as much. Each of them costs every record type time to compile, and memory. So everything
/// else is generic code, which is called with `type`: one body serves all types.
@usableFromInline
struct TableOperations: Sendable {
  @usableFromInline typealias Places = ContiguousArray<ClaimTable.Place>

  @usableFromInline let type: any Cacheable.Type
  /// Removes the value of a slot from the map.
  @usableFromInline let drop: @Sendable (inout IdentityMap, Slot, RemovalReason) -> Void
  /// Copies the values of slots out, as an array of the type.
  @usableFromInline let copy: @Sendable (borrowing IdentityMap, ArraySlice<Slot>) -> any Sendable
  /// Adds loaded values, a range of an array, up to the first that is in memory already; returns
  /// its position.
  ///
  /// It leaves the recency order alone if the call is `passing`.
  @usableFromInline
  let addLoaded: @Sendable (inout IdentityMap, any Sendable, Range<Int>, Stamp, Bool) -> Int
  /// Claims ids; with the number of the call, each once.
  ///
  /// It leaves the recency order alone if the call is `passing`.
  @usableFromInline
  let claim: @Sendable (inout IdentityMap, IDs, UInt32?, Bool, inout Places) -> Void
  /// The slots of ids, or the reasons for their absence, in order.
  @usableFromInline let lookup: @Sendable (borrowing IdentityMap, IDs) -> [Slot]
  /// The ids of an array of values, as an array.
  @usableFromInline let ids: @Sendable (any Sendable) -> any Sendable
  /// The values in slots, as an array of optionals, `nil` for no slot.
  @usableFromInline
  let read: @Sendable (borrowing IdentityMap, ContiguousArray<Slot>) -> any Sendable
  /// Stores an array of values as the answer to claims, with the claim of each value.
  @usableFromInline
  let admit: @Sendable (inout IdentityMap, any Sendable, ContiguousArray<Int32>, Places) -> Void

  @inlinable
  init<Element: Cacheable>(of type: Element.Type) {
    self.type = type
    drop = { map, slot, reason in map.drop(slot, as: Element.self, reason) }
    copy = { map, slots in
      // No array that grows: that would be much code for each type.
      [Element](filling: slots.count) { values, count in
        for slot in slots {
          values.initializeElement(
            at: count, to: map.pages.pointer(to: slot, as: Element.self).pointee)
          count &+= 1
        }
      }
    }
    addLoaded = { map, values, range, stamp, isPassing in
      map.addLoaded(checked(values, as: [Element].self), range, stamp, passing: isPassing)
    }
    claim = { map, ids, turn, isPassing, places in
      map.claim(
        ids.of(Element.self), as: Element.self, turn: turn, passing: isPassing, &places)
    }
    lookup = { map, ids in
      let (ids, table) = (ids.of(Element.self), map.table(Element.self))
      return [Slot](filling: ids.count) { slots, count in
        for id in ids {
          let slot = table?.lookup(id, in: map.pages) ?? .missing
          slots.initializeElement(at: count, to: slot)
          count &+= 1
        }
      }
    }
    ids = { values in
      let values = checked(values, as: [Element].self)
      return [Element.ID](filling: values.count) { ids, count in
        // In place: a loop over the array would copy each value.
        values.withUnsafeBufferPointer { values in
          for index in values.indices {
            ids.initializeElement(at: index, to: values[index].id)
          }
        }
        count = values.count
      }
    }
    read = { map, slots in
      [Element?](filling: slots.count) { values, count in
        for slot in slots {
          values.initializeElement(
            at: count,
            to: slot == .none ? nil : map.pages.pointer(to: slot, as: Element.self).pointee)
          count &+= 1
        }
      }
    }
    admit = { map, values, found, places in
      map.admit(checked(values, as: [Element].self), found, for: places)
    }
  }

  /// Returns the ids of values of the type.
  func ids<Element: Cacheable>(of values: [Element]) -> [Element.ID] {
    checked(ids(values), as: [Element.ID].self)
  }
}
