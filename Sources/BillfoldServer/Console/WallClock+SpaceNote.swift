package import BillfoldStorage
package import BillfoldWeb

extension WallClock {
    /// The part of a test installation that an owner has to itself, and its time; `nil` for whoever lives with everybody.
    package func spaceNote(of owner: String) -> SpaceNote? {
        guard let clock = self as? SpaceClock, let space = clock.space(of: owner) else { return nil }
        // Both are of one reading, so that the gap between them is the space's own.
        let everybodys = everybodysNow
        let now = clock.ahead(at: everybodys)[owner] ?? everybodys
        return SpaceNote(name: space.name, now: now.microseconds, everybodys: everybodys.microseconds)
    }
}
