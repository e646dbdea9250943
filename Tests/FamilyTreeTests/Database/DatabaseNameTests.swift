#if PostgreSQL
  import KinshipProgram
  import Testing

  @testable import family_tree

  /// Messages name a database and never contain a part of its conninfo that may be a password.
  struct DatabaseNameTests {
    @Test(arguments: [
      ("", "postgresql:"), ("dbname=music", "postgresql:dbname=music"),
      (
        " dbname = music  host=/tmp/x user=me password=s3cret",
        "postgresql:host=/tmp/x dbname=music"
      ),
      ("password='s3 \\'cret' dbname='our music'", "postgresql:dbname=our music"),
      ("password=s3\\ cret port=5433", "postgresql:port=5433"),
      ("password=dbname=s3cret", "postgresql:"),
      ("service=music password=s3cret", "postgresql:service=music"),
      ("postgresql://db.example/music", "postgresql:host=db.example dbname=music"),
      (
        "postgresql://me:s3cret@db.example:5433/our%20music?sslmode=require",
        "postgresql:host=db.example:5433 dbname=our music"
      ),
      ("postgres://me:s3?cret@db/music", "postgresql:host=db dbname=music"),
      ("postgresql:///music?host=/tmp/x&password=s3cret", "postgresql:host=/tmp/x dbname=music"),
      ("postgresql://me:s3cret@", "postgresql:"),
    ])
    func `a connection string is shown without its password`(conninfo: String, name: String) {
      #expect(DatabaseName(conninfo).description == name)
    }

    /// A string that makes no sense is not shown at all.
    @Test(arguments: [
      "s3cret", "dbname=x password='s3cret", "dbname=postgresql://me:s3cret@db/music",
      "host=db password = ' s3cret", "postgresql://me:s3@cret@db/music",
      "postgresql://me:s3/cret@db/music", "postgresql:///x?s3cret", "=s3cret",
    ])
    func `a malformed connection string shows no secret`(conninfo: String) {
      let name = DatabaseName(conninfo).description
      #expect(!name.contains("s3") && !name.contains("cret") && name.contains("…"))
    }

    @Test(arguments: [
      ("postgresql:host=/tmp/x dbname=music", "host=/tmp/x dbname=music"),
      ("postgresql://db/music", "postgresql://db/music"), ("postgresql:", ""),
      ("postgres://db/music", "postgres://db/music"),
    ])
    func `the store option accepts a server`(text: String, conninfo: String) throws {
      let options = try Options(["--store", text, "--snapshot", conninfo])
      #expect(options.store == .server(conninfo))
      #expect(options.recordsInMemory == 500)
    }
  }
#endif
