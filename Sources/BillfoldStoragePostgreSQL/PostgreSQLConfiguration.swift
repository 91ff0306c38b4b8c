public import BillfoldDiagnosis

/// How a store in a PostgreSQL server, or in what speaks its protocol, is reached.
public struct PostgreSQLConfiguration: Sendable {
    /// What every write and read runs under. The code above relies on neither: both run the same contract suite.
    public enum Isolation: String, Sendable, CaseIterable {
        case readCommitted = "READ COMMITTED"
        case serializable = "SERIALIZABLE"
    }

    /// A libpq connection string, with several hosts where there are several servers:
    /// `host=a,b dbname=billfold user=billfold`. Unless it says otherwise only a server that takes writes is used.
    public var connection: Secret<String>
    public var isolation: Isolation
    /// Connections, each on a thread of its own.
    public var connections = 8
    /// How long a write or read may take when the task carries no `StorageDeadline`.
    public var timeLimit: Duration = .seconds(30)
    /// How long an unknown commit is looked for beyond the caller's deadline.
    public var resolveLimit: Duration = .seconds(5)
    /// How long a server that refuses connections is tried again, within the deadline.
    public var connectPatience: Duration = .seconds(10)
    /// Most runs of one body that ends in serialisation failures or lost connections.
    public var attempts = 50
    /// Longest pause before the second run; it doubles with each run up to `longestPause`, and the pause is drawn between
    /// zero and that bound.
    public var firstPause: Duration = .milliseconds(2)
    public var longestPause: Duration = .milliseconds(250)

    public init(connection: Secret<String>, isolation: Isolation = .readCommitted) {
        self.connection = connection
        self.isolation = isolation
    }
}
