#if !canImport(Darwin)
  // On Darwin, the library that Apple ships with its systems does not export this.
  @_spi(Reflection) internal import Swift

  /// A stored property of a record that holds refs: a ref, or a value that contains some.
  struct RefField: Sendable {
    /// Its name, after those of the structs that it is in.
    let name: String
    /// The offset in a record.
    let offset: Int
    let type: Any.Type

    /// Returns the stored properties of a record type that hold refs, from the type's metadata.
    ///
    /// It finds nothing in a program that was built without metadata, and does not look into enums
    /// and objects.
    static func all<R: GraphRecord>(in type: R.Type) -> [RefField] {
      if let fields = known.withLock({ $0[ObjectIdentifier(type)] }) { return fields }
      var (fields, seen): ([RefField], Set<ObjectIdentifier>) = ([], [])
      forEach(in: type) { name, offset, type, kind in
        search(RefField(name: name, offset: offset, type: type), kind, &fields, &seen)
      }
      let found = fields
      known.withLock { $0[ObjectIdentifier(type)] = found }
      return found
    }

    private static let known = Lock<[ObjectIdentifier: [RefField]]>([:])

    /// Returns whether values of a type contain refs.
    static func areHeld<Value>(by type: Value.Type, _ seen: inout Set<ObjectIdentifier>) -> Bool {
      // A struct may hold an array of its own type.
      guard seen.insert(ObjectIdentifier(type)).inserted else { return false }
      defer { seen.remove(ObjectIdentifier(type)) }
      var fields: [RefField] = []
      _forEachField(of: Whole<Value>.self) { _, offset, type, kind in
        search(RefField(name: "", offset: offset, type: type), kind, &fields, &seen)
        return true
      }
      return !fields.isEmpty
    }

    /// The metadata give the kind of each property of a type, but not of the type itself.
    private struct Whole<Value> { let value: Value }

    private static func search(
      _ field: RefField, _ kind: _MetadataKind, _ fields: inout [RefField],
      _ seen: inout Set<ObjectIdentifier>
    ) {
      if let holder = field.type as? any RefHolder.Type {
        if holder.holdsRefs(&seen) { fields.append(field) }
      } else if field.type is any RefChoice.Type {
        fields.append(field)
      } else if kind == .struct || kind == .tuple {
        _forEachField(of: field.type) { name, offset, type, kind in
          let name = "\(field.name).\(String(cString: name))"
          search(
            RefField(name: name, offset: field.offset + offset, type: type), kind, &fields, &seen)
          return true
        }
      }
    }

    private static func forEach<R: GraphRecord>(
      in type: R.Type, _ body: (String, Int, Any.Type, _MetadataKind) -> Void
    ) {
      _forEachField(of: Whole<R>.self) { _, _, type, kind in
        if kind != .struct, kind != .class { return true }
        let options = _EachFieldOptions(rawValue: kind == .class ? 1 : 0)
        _forEachField(of: type, options: options) { name, offset, type, kind in
          body(String(cString: name), offset, type, kind)
          return true
        }
        return true
      }
    }
  }

  /// A type whose values may have refs in them that are no stored properties.
  private protocol RefHolder {
    /// The type of the values in it.
    associatedtype Held

    static func holdsRefs(_ seen: inout Set<ObjectIdentifier>) -> Bool
  }

  extension RefHolder {
    fileprivate static func holdsRefs(_ seen: inout Set<ObjectIdentifier>) -> Bool {
      RefField.areHeld(by: Held.self, &seen)
    }
  }

  extension Ref: RefHolder {
    fileprivate typealias Held = Self
    fileprivate static func holdsRefs(_ seen: inout Set<ObjectIdentifier>) -> Bool { true }
  }

  extension Optional: RefHolder { fileprivate typealias Held = Wrapped }
  extension Array: RefHolder { fileprivate typealias Held = Element }
  extension ContiguousArray: RefHolder { fileprivate typealias Held = Element }
  extension Set: RefHolder { fileprivate typealias Held = Element }
  extension Dictionary: RefHolder { fileprivate typealias Held = Element }
#endif
