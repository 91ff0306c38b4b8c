import ApplePayApp
import BillfoldTrace

extension NetworkService {
    /// Asks another party as the fault plan lets it: the question lost, late or twice, or the answer lost. Throws `no-answer` where the network
    /// hears none.
    func asPlanned(
        _ operation: String, correlation: [String: String], _ ask: () async throws -> HTTPAnswer
    ) async throws -> HTTPAnswer {
        let fault = try await faults.claim(operation)
        switch fault?.fault {
        case nil: break
        case .requestLost: throw unheard(operation, correlation: correlation, problem: "the question was lost (fault plan)")
        case .requestRefused: throw unheard(operation, correlation: correlation, problem: "the question was refused (fault plan)")
        case .replyLate: try await Task.sleep(for: .milliseconds(fault?.delayMilliseconds ?? 0))
        case .requestDoubled:
            report(operation, correlation: correlation, problem: "the question arrived twice (fault plan)")
            _ = try await ask()
        case .replyLost:
            _ = try await ask()
            throw unheard(operation, correlation: correlation, problem: "the answer was lost (fault plan)")
        }
        return try await ask()
    }

    private func unheard(_ operation: String, correlation: [String: String], problem: String) -> SandboxError {
        report(operation, correlation: correlation, problem: problem)
        return SandboxError(code: .noAnswer, reason: problem)
    }

    private func report(_ operation: String, correlation: [String: String], problem: String) {
        surroundings.reporter.report(.note, from: .network, to: .network, operation, correlation: correlation, problem: problem)
    }
}
