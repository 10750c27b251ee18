package org.aspas.client.core;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Refusal;

/** The reason why a call, or the client as a whole, failed. All failures are immutable. */
public sealed interface Failure {
    /** Returns the reason as one sentence for people. */
    String sentence();

    /** The server refused the call; a refusal proves nothing. */
    record Refused(Refusal.Reason reason, String detail) implements Failure {
        @Override
        public String sentence() {
            return "the server refused (" + reason + "): " + detail;
        }
    }

    /** The server's message failed a check. An update may still have taken effect. */
    record NotVerified(Check check, String detail) implements Failure {
        @Override
        public String sentence() {
            return "verification failed (" + check + "): " + detail;
        }
    }

    /** The call is malformed; nothing was sent. */
    record Invalid(String detail) implements Failure {
        @Override
        public String sentence() {
            return detail;
        }
    }

    /** The call would exceed one of the client's bounds; nothing was sent. */
    record Overflow(String detail) implements Failure {
        @Override
        public String sentence() {
            return detail;
        }
    }

    /** The server belongs to another deployment than the descriptor's, or is not the server with this index. */
    record WrongServer(Hash expected, Hash found, int expectedServer, int foundServer) implements Failure {
        @Override
        public String sentence() {
            return expected.equals(found)
                    ? "expected appserver " + expectedServer + " but appserver " + foundServer + " answered"
                    : "another deployment answers in place of appserver-" + expectedServer + ": " + shortened(found)
                            + ", not " + shortened(expected) + "; the descriptor is old, or of another system";
        }
    }

    /** Returns the beginning of a deployment's id, which suffices to tell deployments apart. */
    private static String shortened(Hash id) {
        return id.toString().substring(0, 8);
    }

    /** No answer arrived in time. */
    record TimedOut(long afterMillis) implements Failure {
        @Override
        public String sentence() {
            return "no answer within " + afterMillis + " ms";
        }
    }

    /** An update was sent, and perhaps answered, but its confirmation did not arrive in time. */
    record Unconfirmed(long afterMillis) implements Failure {
        @Override
        public String sentence() {
            return "no confirmation within " + afterMillis + " ms";
        }
    }

    record Unreachable(String detail) implements Failure {
        @Override
        public String sentence() {
            return "cannot reach the server: " + detail;
        }
    }

    record Closed() implements Failure {
        @Override
        public String sentence() {
            return "the client is closed";
        }
    }

    /** The client cannot continue, because of a defect of its own or because it cannot write to its disk. */
    record Broken(String detail) implements Failure {
        @Override
        public String sentence() {
            return "the client cannot go on: " + detail;
        }
    }
}
