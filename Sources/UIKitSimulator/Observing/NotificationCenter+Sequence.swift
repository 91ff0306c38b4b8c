import BillfoldConcurrency
public import Foundation

#if !canImport(ObjectiveC)
    extension NotificationCenter {
        /// The notifications of a name from now on, for `for await`. Linux has the center alone.
        ///
        /// - Parameters:
        ///   - name: The notification's name.
        ///   - object: Whose notifications; nil means everybody's.
        public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
            Notifications(self, name, of: object)
        }

        /// What is posted under one name, in order. It waits from the moment at which the sequence was made until somebody asks. It ends
        /// when the task that asks is cancelled.
        ///
        /// `@unchecked Sendable`, as Foundation's: the object is compared and not used.
        public final class Notifications: AsyncSequence, @unchecked Sendable {
            public typealias Element = Notification
            public typealias Failure = Never

            /// Hands out one notification after the other.
            public struct Iterator: AsyncIteratorProtocol {
                private var sent: AsyncStream<HandedOver<Notification>>.Iterator

                fileprivate init(_ stream: AsyncStream<HandedOver<Notification>>) { sent = stream.makeAsyncIterator() }

                /// The next one, or nil when the task is cancelled.
                public mutating func next() async -> Notification? { await sent.next()?.value }

                /// The next one, or nil when the task is cancelled.
                public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                    await sent.next(isolation: actor)?.value
                }
            }

            private let center: NotificationCenter
            private let name: Notification.Name
            private weak var object: AnyObject?
            private let isOfOne: Bool
            // What was posted before the first who asks.
            private let early: Locked<AsyncStream<HandedOver<Notification>>?>

            fileprivate init(_ center: NotificationCenter, _ name: Notification.Name, of object: AnyObject?) {
                (self.center, self.name, self.object, isOfOne) = (center, name, object, object != nil)
                early = Locked(Self.stream(of: center, named: name, object: object))
            }

            private static func stream(
                of center: NotificationCenter, named name: Notification.Name?, object: AnyObject?
            ) -> AsyncStream<HandedOver<Notification>> {
                let (stream, continuation) = AsyncStream.makeStream(of: HandedOver<Notification>.self)
                let token = HandedOver(
                    center.addObserver(forName: name, object: object, queue: nil) { continuation.yield(HandedOver($0)) })
                continuation.onTermination = { _ in center.removeObserver(token.value as Any) }
                return stream
            }

            /// The first one hears of everything since the sequence was made, each other one of what comes after it.
            public func makeAsyncIterator() -> Iterator {
                let first = early.withLock { early in
                    defer { early = nil }
                    return early
                }
                if let first { return Iterator(first) }
                // Nothing comes from an object that is gone.
                if isOfOne, object == nil { return Iterator(AsyncStream { $0.finish() }) }
                return Iterator(Self.stream(of: center, named: name, object: object))
            }
        }
    }
#endif
