#if os(Linux)
    import BillfoldServer
    import Foundation
    import Synchronization
    import Testing

    @Suite(.serialized) struct ThreadSchedulingTests {
        /// The kernel's word for each thread of this process, by its number (proc(5), `stat`, field 41).
        private static func policies() throws -> [Int32: Int] {
            var policies: [Int32: Int] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
                // A thread may have ended since.
                guard let thread = Int32(name), let policy = policy(of: thread) else { continue }
                policies[thread] = policy
            }
            return policies
        }

        /// The calling thread's number.
        private static var own: Int32? {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"))?.split(separator: "/").last.flatMap {
                Int32($0)
            }
        }

        private static func policy(of thread: Int32) -> Int? {
            guard let stat = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8),
                let name = stat.lastIndex(of: ")")
            else { return nil }
            let fields = stat[stat.index(after: name)...].split(separator: " ")
            return fields.count > 38 ? Int(fields[38]) : nil
        }

        @Test func throughputIsEveryThreadsRuleAndThoseThatComeAfter() throws {
            let (kept, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let chosen = Mutex<Int32>(0)
            // One whose rule somebody has chosen: `SCHED_IDLE`.
            Thread.detachNewThread {
                var parameters = sched_param(sched_priority: 0)
                if let own = Self.own, sched_setscheduler(own, 5, &parameters) == 0 { chosen.withLock { $0 = own } }
                ended.signal()
                kept.wait()
            }
            ended.wait()
            defer { kept.signal() }
            #expect(ThreadScheduling.system.apply())
            #expect(ThreadScheduling.throughput.apply())
            var policies = try Self.policies()
            #expect(policies.removeValue(forKey: chosen.withLock { $0 }) == 5)
            #expect(!policies.isEmpty && policies.values.allSatisfy { $0 == 3 })
            let later = Mutex<Int?>(nil)
            Thread.detachNewThread {
                later.withLock { $0 = Self.own.flatMap(Self.policy(of:)) }
                ended.signal()
            }
            ended.wait()
            #expect(later.withLock { $0 } == 3)
        }

        @Test func onlyItsTwoNamesAreRead() {
            #expect(ThreadScheduling(rawValue: "throughput") == .throughput)
            #expect(ThreadScheduling(rawValue: "realtime") == nil)
        }
    }
#endif
