package import BillfoldStorage
package import BillfoldWeb

extension WallClock {
    /// The part of a test installation that an owner has to itself, and its time; `nil` for whoever lives with everybody.
    package func spaceNote(of owner: String) -> SpaceNote? {
        guard let space = (self as? SpaceClock)?.space(of: owner) else { return nil }
        return SpaceNote(name: space.name, now: now(of: owner).microseconds, everybodys: everybodysNow.microseconds)
    }
}
