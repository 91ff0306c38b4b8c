import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging
import ServiceLifecycle

/// Asks the processor regularly for what changed, so that a card that is blocked there stops paying though nobody logs in.
///
/// The place up to which changes are taken over lies in the store and moves with them: what is interrupted is asked for again.
struct ChangeFeedWorker: Service {
    let context: TokenContext
    let directory: any CardDirectory
    let interval: Duration

    /// `nil` where the processor is not asked: nobody said how often, or it cannot be.
    init?(context: TokenContext) {
        guard let interval = context.configuration.changeInterval, let directory = context.host.cardSource as? any CardDirectory else {
            return nil
        }
        (self.context, self.directory, self.interval) = (context, directory, interval)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isSilent = false
            while !Task.isCancelled {
                do {
                    while try await runOnce() {}
                    isSilent = false
                } catch is CancellationError {
                    return
                } catch {
                    // Once for each silence.
                    if !isSilent {
                        let reason = (error as? ProvisioningError)?.reason ?? "\(type(of: error))"
                        context.host.logger.error("the processor's changes cannot be taken over", metadata: ["reason": "\(reason)"])
                    }
                    isSilent = true
                }
                guard (try? await Task.sleep(for: interval)) != nil else { return }
            }
        }
    }

    /// Takes over a part of what changed. Returns whether there is more.
    func runOnce() async throws -> Bool {
        let place = try await context.database.read { try ChangeFeedRecords.place(in: $0) }
        let changes = try await directory.changes(after: place)
        if changes.place != place { try await CardIntakeService(context: context).take(changes) }
        return changes.hasMore && changes.place != place
    }
}
