import BillfoldDiagnosis
import BillfoldStorage
import CLibpq

/// One session with a server, in pipeline mode. It stays on the thread that made it.
final class PostgreSQLConnection {
    enum Request {
        /// `BEGIN`, `COMMIT` and the like: sent as they are, never prepared.
        case control(String)
        case statement(String, [SQLValue])
    }

    /// A statement is prepared once for each combination of types; a null leaves its type to the server.
    private struct Key: Hashable {
        var sql: String
        var types: [Oid]
    }

    private let socket: PostgreSQLSocket
    private let notices = NoticeKeeper()
    private var prepared: [Key: String] = [:]
    private var statementsNamed = 0
    private(set) var settings = PostgreSQLSettings([:])

    /// Connects, and asserts the settings that durability rests on.
    init(_ connection: Secret<String>, deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) {
        socket = try PostgreSQLSocket(connection)
        notices.attach(to: socket.handle)
        let list = PostgreSQLSettings.names.map { "'\($0)'" }.joined(separator: ", ")
        let results = try run([.statement("SELECT name, setting FROM pg_settings WHERE name IN (\(list))", [])], deadline: deadline)
        do {
            var values: [String: String] = [:]
            for row in try results[0].rows() { values[try row.text(0)] = try row.text(1) }
            settings = PostgreSQLSettings(values)
            try settings.requireSafe()
        } catch let error as StorageError {
            throw .refused(error)
        } catch {
            throw .connectionLost("\(error)")
        }
    }

    /// Warnings the server sent during the last `run`.
    var warnings: [String] { notices.warnings }

    /// Sends all requests in one go and returns a result for each.
    ///
    /// - Throws: The first failure. What follows it in the pipeline is not run by the server.
    func run(_ requests: [Request], deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) -> [PostgreSQLResult] {
        notices.clear()
        if prepared.count > 500 { try forgetStatements(deadline) }
        var steps: [Step] = []
        for request in requests { try send(request, into: &steps) }
        guard PQpipelineSync(socket.handle) == 1 else { throw socket.lost() }
        var results: [PostgreSQLResult] = []
        var failure: PostgreSQLFailure?
        for step in steps {
            guard let result = try socket.nextResult(deadline: deadline) else { throw socket.lost() }
            // Each command's results end with none.
            while try socket.nextResult(deadline: deadline) != nil {}
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                if case .prepare(let key, let name) = step { prepared[key] = name } else { results.append(result) }
            case PGRES_PIPELINE_ABORTED: break
            default: failure = failure ?? result.failure
            }
        }
        guard try socket.nextResult(deadline: deadline)?.status == PGRES_PIPELINE_SYNC else { throw socket.lost() }
        if let failure { throw failure }
        return results
    }

    private enum Step {
        case prepare(Key, name: String)
        case execute
    }

    private func send(_ request: Request, into steps: inout [Step]) throws(PostgreSQLFailure) {
        switch request {
        case .control(let sql):
            guard PQsendQueryParams(socket.handle, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw socket.lost() }
            steps.append(.execute)
        case .statement(let sql, let bindings):
            let key = Key(sql: sql, types: bindings.map(PostgreSQLType.of))
            try check(bindings)
            let name: String
            if let known = prepared[key] ?? pending(key, in: steps) {
                name = known
            } else {
                let rewritten = try rewrite(sql, count: bindings.count)
                statementsNamed += 1
                name = "s\(statementsNamed)"
                guard PQsendPrepare(socket.handle, name, rewritten, CInt(key.types.count), key.types) == 1 else { throw socket.lost() }
                steps.append(.prepare(key, name: name))
            }
            guard execute(name, bindings) else { throw socket.lost() }
            steps.append(.execute)
        }
    }

    private func pending(_ key: Key, in steps: [Step]) -> String? {
        for case .prepare(key, let name) in steps { return name }
        return nil
    }

    private func check(_ bindings: [SQLValue]) throws(PostgreSQLFailure) {
        for binding in bindings {
            do { try PortableStatement.check(binding) } catch { throw .refused(error) }
        }
    }

    private func rewrite(_ sql: String, count: Int) throws(PostgreSQLFailure) -> String {
        do { try PortableStatement.check(sql) } catch { throw .refused(error) }
        let (rewritten, placeholders) = PlaceholderRewriter.rewrite(sql)
        guard placeholders == count else {
            throw .refused(StorageError(code: .invalidStatement, reason: "\(count) bindings for \(placeholders) placeholders"))
        }
        return rewritten
    }

    /// Sends the bindings in the binary format, out of one buffer.
    private func execute(_ name: String, _ bindings: [SQLValue]) -> Bool {
        var bytes: [UInt8] = []
        var offsets: [Int?] = []
        var lengths: [CInt] = []
        for binding in bindings {
            let start = bytes.count
            offsets.append(binding == .null ? nil : start)
            switch binding {
            case .null: break
            case .integer(let value): withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
            case .text(let text): bytes.append(contentsOf: text.utf8)
            case .blob(let blob): bytes.append(contentsOf: blob)
            }
            lengths.append(CInt(bytes.count - start))
        }
        // An empty value needs an address too: none at all is a null.
        bytes.append(0)
        let formats = [CInt](repeating: 1, count: bindings.count)
        return bytes.withUnsafeBytes { buffer in
            let values = offsets.map { offset in
                offset.flatMap { buffer.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return PQsendQueryPrepared(socket.handle, name, CInt(bindings.count), values, lengths, formats, 1) == 1
        }
    }

    private func forgetStatements(_ deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) {
        prepared.removeAll()
        _ = try run([.control("DEALLOCATE ALL")], deadline: deadline)
    }
}
