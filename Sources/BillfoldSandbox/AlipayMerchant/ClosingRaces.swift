import BillfoldTrace
import ServiceLifecycle

/// Closes trades while their payers are at it, for orders whose fault plan says so: whichever comes first, both sides agree afterwards.
package struct ClosingRaces: Service {
    let numbers: AsyncStream<String>
    let service: ExpressMerchantService
    /// Between two tries: the trade exists only once the payer has reached the password.
    static let pause = Duration.milliseconds(200)
    /// A payer who never comes leaves nothing to close.
    static let tries = 1_500

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await number in numbers { group.addTask { await race(number) } }
            }
        }
    }

    private func race(_ number: String) async {
        for _ in 0..<Self.tries {
            do {
                try await Task.sleep(for: Self.pause)
                if try await service.close(number).state != .unpaid { return }
            } catch is CancellationError {
                return
            } catch {
                // No answer: what became of it is asked for with the next try.
                service.surroundings.reporter.report(
                    .note, from: .merchant, to: .merchant, "close", correlation: [ExpressTrace.order: number], problem: "no answer")
            }
        }
    }
}
