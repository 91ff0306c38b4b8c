/// How a store in one SQLite file is opened. Durability is not configurable: see ``SQLiteSettings``.
public struct SQLiteConfiguration: Sendable {
    /// The file, on a local file system. It is made when it is not there; `:memory:` is refused.
    public var path: String
    /// Most writes that share one commit.
    public var groupLimit = 100
    /// Longest time for which a group takes in further writes before it commits.
    public var groupWindow: Duration = .milliseconds(2)
    /// Longest time for which a group waits, before it is begun, for the tasks that are ready to run on the processors at hand: under load
    /// their writes join it. No write waits where the processors are idle.
    public var groupPatience: Duration = .milliseconds(10)
    /// Connections that read beside the writer.
    public var readers = 4
    /// Page cache of the writer, in KiB. What writes touch is recent, so that more of it keeps old pages in memory and gains nothing. It
    /// costs: a commit in which a page of an index was split looks at every page in the cache (seen with SQLite 3.40).
    public var cacheKibibytes = 8_192
    /// Pages of 4 KiB in the write-ahead log after which it is copied back into the file.
    public var checkpointPages = 32_768
    /// Pages in the write-ahead log from which a warning is logged: a long reader keeps it from being reused.
    public var walAlarmPages = 262_144

    public init(path: String) { self.path = path }
}
