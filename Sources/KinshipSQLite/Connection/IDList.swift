#if SQLite
  internal import CSQLite

  /// Integers that a statement reads as a table, `FROM "kinship ids"(?)`, with a column `id`.
  ///
  /// A table joined to it is searched for one id after another. `IN` would first copy the ids into
  /// a b-tree.
  final class IDList {
    /// The ids in ascending order, in which searching tables is fastest, and each once, so that no
    /// row is repeated.
    private let ids: UnsafeMutableBufferPointer<Int64>

    var count: Int { ids.count }

    init(_ integers: [Int64]) {
      var (ids, last) = (integers.sorted(), Int64?.none)
      ids.removeAll { id in
        defer { last = id }
        return id == last
      }
      self.ids = .allocate(capacity: ids.count)
      _ = self.ids.initialize(from: ids)
    }

    deinit { ids.deallocate() }

    private static let name: StaticString = "kinship ids"
    static let table = "\"\(name)\""

    /// The address of the name, which SQLite keeps instead of a copy.
    private static var address: UnsafePointer<CChar> {
      UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Binds the list to a parameter, and keeps it alive as long as it is bound.
    ///
    /// SQL itself cannot create such a value, and any other value is a list without ids.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
      sqlite3_bind_pointer(
        statement, index, Unmanaged.passRetained(self).toOpaque(), Self.address
      ) {
        if let list = $0 { Unmanaged<IDList>.fromOpaque(list).release() }
      }
    }

    static func register(in database: OpaquePointer) -> Int32 {
      let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
      module.initialize(to: Self.module)
      return sqlite3_create_module_v2(database, address, module, module) { $0?.deallocate() }
    }
  }

  extension IDList {
    /// The position of a statement in a list.
    private struct Cursor {
      /// The part for SQLite, which must come first.
      var base = sqlite3_vtab_cursor()
      /// The bound list, which stays bound until the statement is reset.
      var ids = UnsafeMutableBufferPointer<Int64>(start: nil, count: 0)
      var index = 0

      static func at(
        _ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?
      ) -> UnsafeMutablePointer<Cursor>? {
        UnsafeMutableRawPointer(base)?.assumingMemoryBound(to: Cursor.self)
      }
    }

    /// The functions for SQLite; without `xCreate`, the table exists without being created.
    private static var module: sqlite3_module {
      var module = sqlite3_module()
      module.xConnect = { database, _, _, _, table, _ in
        let code = sqlite3_declare_vtab(database, "CREATE TABLE list (id, list HIDDEN)")
        if code != SQLITE_OK { return code }
        table?.pointee = .allocate(capacity: 1)
        table?.pointee?.initialize(to: sqlite3_vtab())
        return SQLITE_OK
      }
      module.xDisconnect = { table in
        table?.deallocate()
        return SQLITE_OK
      }
      module.xBestIndex = { _, info in
        guard let info = info?.pointee else { return SQLITE_ERROR }
        for number in 0..<Int(info.nConstraint) {
          let constraint = info.aConstraint[number]
          // SQLite passes an argument as a constraint that the hidden column equals it.
          if constraint.iColumn == 1, constraint.op == SQLITE_INDEX_CONSTRAINT_EQ,
            constraint.usable != 0
          {
            info.aConstraintUsage[number].argvIndex = 1
            info.aConstraintUsage[number].omit = 1
            break
          }
        }
        return SQLITE_OK
      }
      module.xOpen = { _, base in
        let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
        cursor.initialize(to: Cursor())
        base?.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(
          to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
      }
      module.xClose = { base in
        Cursor.at(base)?.deallocate()
        return SQLITE_OK
      }
      module.xFilter = { base, _, _, count, values in
        let list = count == 0 ? nil : sqlite3_value_pointer(values?[0], IDList.address)
        let ids = list.map { Unmanaged<IDList>.fromOpaque($0).takeUnretainedValue().ids }
        Cursor.at(base)?.pointee.ids = ids ?? UnsafeMutableBufferPointer(start: nil, count: 0)
        Cursor.at(base)?.pointee.index = 0
        return SQLITE_OK
      }
      module.xNext = { base in
        Cursor.at(base)?.pointee.index += 1
        return SQLITE_OK
      }
      module.xEof = { base in
        guard let cursor = Cursor.at(base)?.pointee else { return 1 }
        return cursor.index < cursor.ids.count ? 0 : 1
      }
      module.xColumn = { base, result, column in
        guard column == 0, let cursor = Cursor.at(base)?.pointee else { return SQLITE_OK }
        sqlite3_result_int64(result, cursor.ids[cursor.index])
        return SQLITE_OK
      }
      module.xRowid = { base, number in
        number?.pointee = Int64(Cursor.at(base)?.pointee.index ?? 0)
        return SQLITE_OK
      }
      return module
    }
  }
#endif
