import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A private PostgreSQL server on a loopback port, with its data in a folder of its own.
///
/// It ends with the process, however that ends: a shell between the two waits for the end of a pipe that only the process
/// holds, stops the server, and removes the folder.
public final class PostgreSQLCluster: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public var description: String
    }

    /// Where the distribution put the newest server's programs; `nil` when it is not installed.
    public static let binaries: String? = {
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }.sorted()
        return versions.reversed().map { "\(root)/\($0)/bin" }.first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()

    /// The one that the suites share. Made when it is first asked for.
    public static let shared: Result<PostgreSQLCluster, any Error> = Result { try PostgreSQLCluster() }

    public let port: Int
    public let dataFolder: String
    private let folder: TemporaryFolder
    private let binaries: String
    /// Their open inputs keep the servers alive.
    private let lifelines = Mutex<[ChildProcess]>([])

    /// - Parameter settings: Lines for `postgresql.conf`, after those that suit a test.
    public init(settings: [String] = []) throws {
        guard let binaries = Self.binaries else { throw Failure(description: "PostgreSQL is not installed") }
        self.binaries = binaries
        // Memory, not a disk: `fsync` stays on, as the adapter demands, and costs nothing there.
        folder = try TemporaryFolder(under: Self.roomyMemoryFolder)
        dataFolder = folder.path("data")
        port = try Self.freePort()
        try Self.runAsServer(
            ["\(binaries)/initdb", "-D", dataFolder, "-U", "billfold", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"],
            owning: folder.path)
        let lines =
            [
                "listen_addresses = '127.0.0.1'", "port = \(port)", "unix_socket_directories = ''", "max_connections = 200",
                "shared_buffers = 64MB", "max_wal_size = 256MB", "autovacuum_naptime = 30s",
            ] + settings
        try appendSettings([""] + lines)
        try start()
    }

    /// A standby that follows another cluster asynchronously, by streaming.
    public init(standbyOf primary: PostgreSQLCluster) throws {
        binaries = primary.binaries
        folder = try TemporaryFolder(under: Self.roomyMemoryFolder)
        dataFolder = folder.path("data")
        port = try Self.freePort()
        try Self.runAsServer(
            [
                "\(binaries)/pg_basebackup", "-h", "127.0.0.1", "-p", "\(primary.port)", "-U", "billfold", "-D", dataFolder, "-R", "-c",
                "fast",
                "-X", "stream",
            ], owning: folder.path)
        try appendSettings(["", "port = \(port)"])
        try start()
    }

    /// Waits until a standby has replayed all that this cluster has committed.
    public func wait(for standby: PostgreSQLCluster) throws {
        let place = try query("SELECT pg_current_wal_lsn()")
        for _ in 0..<400 {
            if try standby.query("SELECT pg_last_wal_replay_lsn() >= '\(place)'::pg_lsn") == "t" { return }
            usleep(50_000)
        }
        throw Failure(description: "the standby does not follow")
    }

    /// Lets a standby hear nothing more of its primary: what is committed there from now on is lost when it is promoted.
    public func detach() throws {
        _ = try query("ALTER SYSTEM SET primary_conninfo = ''")
        _ = try query("SELECT pg_reload_conf()")
        for _ in 0..<400 {
            if try query("SELECT COUNT(*) FROM pg_stat_wal_receiver") == "0" { return }
            usleep(50_000)
        }
        throw Failure(description: "the standby still follows")
    }

    /// Makes a standby the primary.
    public func promote() throws {
        guard try query("SELECT pg_promote(true, 30)") == "t" else { throw Failure(description: "the standby was not promoted") }
    }

    /// One value, by the distribution's own client.
    private func query(_ sql: String) throws -> String {
        let client = try ChildProcess(
            ["\(binaries)/psql", "-h", "127.0.0.1", "-p", "\(port)", "-U", "billfold", "-d", "postgres", "-Atqc", sql], readsOutput: true)
        var said: [UInt8] = []
        while let bytes = client.read() { said += bytes }
        guard client.wait() == 0 else { throw Failure(description: "\(sql) failed") }
        return String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A connection string for one schema, which need not exist yet.
    public func connection(schema: String = "public") -> String {
        "host=127.0.0.1 port=\(port) user=billfold dbname=postgres options='-csearch_path=\(schema)'"
    }

    /// Starts the server and waits until it takes connections.
    public func start() throws {
        let script = """
            "$1/postgres" -D "$2" >> "$3" 2>&1 &
            read -r _ || true
            "$1/pg_ctl" stop -D "$2" -m immediate -w -t 20 > /dev/null 2>&1
            rm -rf "$4"
            """
        let log = folder.path("server.log")
        let lifeline = try ChildProcess(
            Self.asServer + ["sh", "-c", script, "sh", binaries, dataFolder, log, folder.path], hasInput: true)
        lifelines.withLock { $0.append(lifeline) }
        for _ in 0..<600 {
            if ChildProcess.succeeds(["\(binaries)/pg_isready", "-q", "-h", "127.0.0.1", "-p", "\(port)", "-t", "1"]) { return }
            usleep(50_000)
        }
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw Failure(description: "the server did not start: \(text.suffix(2_000))")
    }

    /// Adds lines to `postgresql.conf`; the server reads them when it is told to reload or started again.
    public func appendSettings(_ lines: [String]) throws {
        let path = dataFolder + "/postgresql.conf"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try (text + lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Ends the server without a checkpoint, as a crash would. Its next start recovers from the log.
    public func stopImmediately() throws {
        try Self.runAsServer(["\(binaries)/pg_ctl", "stop", "-D", dataFolder, "-m", "immediate", "-w"], owning: nil)
    }

    /// Root may not run the server; the distribution's package made an account for it.
    private static var asServer: [String] {
        guard geteuid() == 0 else { return ["/usr/bin/env"] }
        return ["/usr/sbin/runuser", "-u", getpwnam("postgres") == nil ? "nobody" : "postgres", "--"]
    }

    private static var roomyMemoryFolder: String? {
        var status = statvfs()
        guard statvfs("/dev/shm", &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) > 2 << 30 ? "/dev/shm" : nil
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard bound else { throw Failure(description: "no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func runAsServer(_ command: [String], owning folder: String?) throws {
        if let folder, geteuid() == 0 {
            guard ChildProcess.succeeds(["/bin/chown", "-R", getpwnam("postgres") == nil ? "nobody" : "postgres", folder]) else {
                throw Failure(description: "the folder cannot be given to the server's account")
            }
        }
        guard ChildProcess.succeeds(asServer + command) else { throw Failure(description: "\(command[0]) failed") }
    }
}
