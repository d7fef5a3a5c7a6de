extension Task where Success == Never, Failure == Never {
    /// The executor that the current task prefers (SE-0417), or nil.
    ///
    /// Child tasks have it from their parent, but neither those that begin at once nor tasks of their own: they are given it.
    public static var executorPreference: (any TaskExecutor)? {
        unsafe withUnsafeCurrentTask { task in unsafe task?.unownedTaskExecutor?.asTaskExecutor() }
    }
}
