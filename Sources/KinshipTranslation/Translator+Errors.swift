internal import Kinship

extension Translator {
  /// Turns a model object into a record; errors name the record.
  func translate(_ model: Model) throws -> Translated {
    do {
      return try record(from: model)
    } catch {
      throw untranslatable(try? id(of: model), because: error)
    }
  }

  /// Turns model objects into records, as many as possible.
  func translateAll(_ models: some Sequence<Model>) throws -> PartialAnswer<Translated> {
    var records: [Translated] = []
    records.reserveCapacity(models.underestimatedCount)
    var failures: [PartialAnswer<Translated>.Failure] = []
    for model in models {
      do {
        records.append(try translate(model))
      } catch let error as CancellationError {
        throw error
      } catch {
        failures.append(.init((try? id(of: model)).map { Ref($0) }, cause: error))
      }
    }
    return PartialAnswer(records, failures: failures)
  }

  /// The id of a model object; errors name the type.
  func identify(_ model: Model) throws -> Translated.ID { try naming(nil) { try id(of: model) } }

  /// Calls a closure; errors name the type, and the id if there is one.
  func naming<Answer>(_ id: Translated.ID?, _ body: () throws -> Answer) throws -> Answer {
    do { return try body() } catch { throw untranslatable(id, because: error) }
  }

  /// Updates a model object from a record; errors name the record.
  func fill(_ model: inout Model, from record: Translated, in models: ModelMap) throws {
    do {
      try update(&model, from: record, in: models)
    } catch KinshipError.missing(let ref) {
      let field = Translated.relationships.elements.first { $0.refs(record).contains(ref) }?.name
      throw KinshipError.untranslatable(
        type: Translated.recordName, id: record.id, field: field,
        cause: KinshipError.missing(ref))
    } catch {
      throw untranslatable(record.id, because: error)
    }
  }

  /// Calls the context; errors name the type.
  func asking<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as UnexpectedModel {
      throw untranslatable(nil, because: error)
    }
  }

  private func untranslatable(_ id: Translated.ID?, because error: any Error) -> any Error {
    switch error {
    case is CancellationError, KinshipError.untranslatable, KinshipError.misuse(.unsupported): error
    case let error as UntranslatableField:
      KinshipError.untranslatable(
        type: Translated.recordName, id: id, field: error.field, cause: error.cause)
    default:
      KinshipError.untranslatable(type: Translated.recordName, id: id, field: nil, cause: error)
    }
  }
}
