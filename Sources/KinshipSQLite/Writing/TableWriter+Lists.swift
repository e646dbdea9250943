#if SQLite
  internal import Kinship
  internal import KinshipSQL

  extension TableWriter {
    /// Writes the lists of deleted, updated and inserted records, after the rows themselves.
    func writeLists() throws {
      if plan.table.lists.isEmpty { return }
      for (number, list) in plan.table.lists.enumerated() {
        switch list.place {
        case .foreignKey(let table, let column, let key, _):
          let foreignKey = ForeignKeyList(table: table, column: column, key: key, connection)
          for record in changes.deleted { try foreignKey.empty(id(of: record)) }
          try changes.forEachChange(of: list, rows, pairs()) { owner, old, new in
            try check(owner, new, of: list, number)
            writesSortedLists = true
            // Each target is a separate row, so additions and removals by others stay.
            let (lost, gained) = Self.difference(try old ?? foreignKey.targets(of: owner), new)
            for target in lost { try foreignKey.detach(target, from: owner) }
            for target in gained { try foreignKey.attach(target, to: owner) }
          }
        case .join(let table, let from, let to, let order):
          let join = JoinList(table: table, from: from, to: to, order: order, connection)
          try changes.forEachChange(of: list, rows, pairs()) { owner, old, new in
            try check(owner, new, of: list, number)
            if order == nil { writesSortedLists = true }
            try join.replace(old, by: new, of: owner)
          }
        }
        for record in changes.inserted {
          let remains = changes.all.remains(of: record.ref) as? RowRemains
          if let kept = remains?.lists[number] { try restore(kept, to: list, of: record) }
        }
      }
    }

    /// Deletes the rows of join tables before the records that own them.
    func emptyDeletedLists() throws {
      if changes.deleted.isEmpty { return }
      for list in plan.table.lists {
        guard case .join(let table, let from, let to, let order) = list.place else { continue }
        let join = JoinList(table: table, from: from, to: to, order: order, connection)
        for record in changes.deleted { try join.empty(id(of: record)) }
      }
    }

    /// Checks that the columns of a list store the ids of an owner and its targets unchanged.
    private func check(
      _ owner: SQLValue, _ targets: [SQLValue], of list: SQLList<R>, _ number: Int
    ) throws(SQLMappingError) {
      let (source, kinds) = (list.source, plan.layout.lists[number].kinds)
      try kinds[0].check(owner, in: source.owner)
      for target in targets { try kinds[1].check(target, in: source.target) }
    }

    func id(of record: R) throws -> SQLValue { try changes.id(of: record) }

    private static func difference(
      _ old: [SQLValue], _ new: [SQLValue]
    ) -> (lost: [SQLValue], gained: [SQLValue]) {
      let (before, after) = (Set(old), Set(new))
      return (old.filter { !after.contains($0) }, new.filter { !before.contains($0) })
    }
  }
#endif
