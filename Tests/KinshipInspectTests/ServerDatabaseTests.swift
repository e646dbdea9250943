import KinshipProgram
import KinshipTestTraits
import Testing

@testable import KinshipStoreTestSupport
@testable import kinship_inspect

#if PostgreSQL
  @testable import KinshipPostgreSQL

  /// A database on a server is inspected like any other.
  @Suite(.dedicatedThreads, .needsServer) struct ServerDatabaseTests {
    @Test func `a server's database is shown and verified`() throws {
      let database = try TestDatabase.make()
      try database.connect().execute(
        """
        CREATE TABLE person (id int PRIMARY KEY, name text, born int, father int REFERENCES person);
        INSERT INTO person VALUES (1, 'Albert', 1819, NULL), (2, 'Vicky', 1840, 1),
          (3, 'Wilhelm', 1859, NULL);
        SET session_replication_role = replica; UPDATE person SET father = 9 WHERE id = 3
        """)
      let path = "postgresql:\(database.conninfo) password=s3cret"
      let shown = run("show", path).console.output
      #expect(shown.hasPrefix("database postgresql:host="))
      #expect(shown.contains("\n  system") && !shown.contains("s3cret"))
      #expect(
        run("show", path, "--records", "person", "--where", "born < 1850").console.output == """
          id  born  father  name
           1  1819          Albert
           2  1840       1  Vicky
          2 records

          """)
      #expect(
        run("tree", path, "person:2").console.output == """
          person:2 “Vicky”
          └─ father person:1 “Albert”

          """)
      let (status, console) = run("verify", path)
      #expect(status == .notFound && !console.output.contains("s3cret"))
      #expect(
        console.output.contains(
          "error: person:3: father leads to a record of person, which does not exist"))
      let refused = run("salvage", path, "--to", "/tmp/new")
      #expect(refused.status == .usage && refused.console.complaints.count == 1)
      #expect(!refused.console.complaints.joined().contains("s3cret"))
    }
  }
#endif

/// An unreachable database.
struct UnreachableDatabaseTests {
  @Test func `a database is named without its password`() {
    for path in [
      "postgresql:host=/no/such/socket dbname=music password=s3cret",
      "postgresql://me:s3cret@%2Fno%2Fsuch%2Fsocket/music",
    ] {
      let (status, console) = run("show", path)
      let complaint = console.complaints.joined()
      #expect(complaint.hasPrefix("postgresql:host=/no/such/socket dbname=music: error: "))
      #expect(!complaint.contains("s3cret"))
      #if PostgreSQL
        #expect(status == .unreadable)
      #else
        #expect(status == .usage && complaint.contains("--traits PostgreSQL"))
      #endif
    }
  }
}
