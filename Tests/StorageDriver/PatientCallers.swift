import BillfoldStorage

/// Callers who ask again until they are told, somebody who asks for readiness, and somebody who reads.
///
/// They print, beside `ack`: `fail CODE LANE` for each refusal, `wrong LANE NUMBER` when a write that was told as failed stands,
/// `ready` and `unready` when readiness changes, and `unread CODE` for a read that was refused.
struct PatientCallers: Sendable {
    let database: any Database
    let report: Report

    func run(lanes: Int64, writes: Int64) async {
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask { for number in 0..<writes { await write(lane, number) } }
            }
            group.addTask { await askForReadiness() }
            group.addTask { await read() }
        }
    }

    private func write(_ lane: Int64, _ number: Int64) async {
        // Told once that the outcome is open: the row may be there.
        var isOpen = false
        while true {
            do {
                try await StorageDriver.write(database, lane, number)
                return report.line("ack \(lane) \(number)")
            } catch let error as StorageError where error.code == .uniqueViolation {
                return report.line(isOpen ? "ack \(lane) \(number)" : "wrong \(lane) \(number)")
            } catch {
                let code = (error as? StorageError)?.code
                report.line("fail \(code?.description ?? "error") \(lane)")
                if code == .commitUnknown { isOpen = true }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    private func askForReadiness() async {
        var wasReady = true
        while true {
            let isReady = (try? await database.probe()) != nil
            if isReady != wasReady { report.line(isReady ? "ready" : "unready") }
            wasReady = isReady
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private func read() async {
        while true {
            do { _ = try await database.read { try $0.query("SELECT COUNT(*) FROM posting WHERE lane = 0 AND number < 5") } } catch {
                report.line("unread \((error as? StorageError)?.code.description ?? "error")")
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
