import Logging
import ServiceLifecycle

/// Work of a party that runs by itself.
enum PartyWork {
    /// Does what is due, again and again, until the server stops.
    ///
    /// - Parameters:
    ///   - interval: The pause after a look that found nothing to do.
    ///   - failure: What the log says where the work fails; a refusal of the other side, which may not be there yet, is only waited for.
    ///   - work: Returns how much it did.
    static func run(
        every interval: Duration, logger: Logger, failure: String, _ work: @escaping @Sendable () async throws -> Int
    ) async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    if try await work() == 0 { try await Task.sleep(for: interval) }
                } catch is CancellationError {
                    return
                } catch is SandboxRefusal {
                    try? await Task.sleep(for: .milliseconds(200))
                } catch {
                    logger.error("\(failure)", metadata: ["error": "\(error)"])
                    try? await Task.sleep(for: .seconds(1))
                }
            }
        }
    }
}
