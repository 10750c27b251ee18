package org.aspas.emulab.gatling;

import java.util.concurrent.atomic.LongAdder;

/** What the clients of all virtual users have verified, so that a report can show that they did. Thread-safe. */
final class VerificationCounts {
    final LongAdder sessions = new LongAdder();
    final LongAdder answers = new LongAdder();
    final LongAdder updates = new LongAdder();
    final LongAdder confirmations = new LongAdder();
    final LongAdder failures = new LongAdder();
}
