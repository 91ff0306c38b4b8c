import Foundation

/// One job by this program and by other builds of it. Their servers are alive at once on the same processor and asked by turns, in another
/// order each round: what slows the host for longer than a turn slows all of them, and the median leaves out the rest. That tells what two
/// runs, one after the other, do not. Work that a server puts off beyond its answers falls, in part, into another's turn.
struct Turns<Server> {
    /// What is counted, for people.
    var unit: String
    var rounds: Int
    /// Starts a build's server, which keeps its data in the folder.
    var start: (_ program: String, _ folder: URL) async throws -> Server
    /// Returns the seconds that one operation took.
    var work: (Server) async throws -> Double
    var stop: (Server) async throws -> Void

    func run(in folder: URL, with others: [String]) async throws {
        let programs = [MeasuredProcess.thisProgram] + others
        var servers: [Server] = []
        for (number, program) in programs.enumerated() {
            servers.append(try await start(program, folder.appending(path: "program-\(number)")))
        }
        var times = programs.map { _ in [Double]() }
        for round in 0...rounds {
            for turn in programs.indices {
                let program = (turn + round) % programs.count
                let time = try await work(servers[program])
                // The first warms up.
                if round > 0 { times[program].append(time) }
            }
        }
        print("this program: \(Int(1 / median(times[0]))) \(unit) a second")
        for (program, own) in zip(programs, times).dropFirst() {
            let ratios = zip(times[0], own).map { $0 / $1 }.sorted()
            func digits(_ ratio: Double) -> String { String(format: "%.3f", ratio) }
            print(
                "\(program): \(Int(1 / median(own))), \(digits(median(ratios))) times as fast in the same round, half of the rounds from "
                    + "\(digits(percentile(ratios, 0.25))) to \(digits(percentile(ratios, 0.75)))")
        }
        for server in servers { try await stop(server) }
    }
}
