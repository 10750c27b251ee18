package org.aspas.emulab.cli;

/** What the launcher's exit codes mean; they are part of the interface. */
public final class ExitCodes {
    public static final int DONE = 0;

    /** It failed, or something was found to be wrong. */
    public static final int FAILED = 1;

    /** The command line or a file it names is wrong. */
    public static final int USAGE = 2;

    /** A server cannot be reached or does not answer in time. */
    public static final int UNREACHABLE = 3;

    /** An update is answered, and no certificate covered it in the time given; 4 is an invalid run of a load. */
    public static final int UNCONFIRMED = 5;

    /** The store of a server or a client is damaged: something that was durable is missing or is not what was stored. */
    public static final int DAMAGED = 6;

    /** No server answered an update; it is in the client's record, and the client's next command sends it. */
    public static final int KEPT = 7;

    /** A server's process found that it cannot go on, and halted; started again, it catches up. */
    public static final int HALTED = 70;

    /** Nobody reads standard output any more, as shells say it of a program that a closed pipe ends. */
    public static final int UNREAD = 141;

    private ExitCodes() {}
}
