package org.aspas.client.core.port;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Refusal;

/** Why a call, or the client as a whole, failed. */
public sealed interface Failure {
    /** One sentence for people. */
    String sentence();

    /** The server refused. It proves nothing. */
    record Refused(Refusal.Reason reason, String detail) implements Failure {
        @Override
        public String sentence() {
            return "the server refused (" + reason + "): " + detail;
        }
    }

    /** A check of what the server sent failed. The update may still have taken effect. */
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

    /** A bound of the client is reached; nothing was sent. */
    record Overflow(String detail) implements Failure {
        @Override
        public String sentence() {
            return detail;
        }
    }

    /** The server belongs to another deployment than the descriptor, or is another server. */
    record WrongServer(Hash expected, Hash found, int expectedServer, int foundServer) implements Failure {
        @Override
        public String sentence() {
            return expected.equals(found)
                    ? "expected appserver " + expectedServer + " but appserver " + foundServer + " answered"
                    : "another deployment answers in place of appserver-" + expectedServer + ": " + shortened(found)
                            + ", not " + shortened(expected) + "; the descriptor is old, or of another system";
        }
    }

    /** The beginning of a deployment's id, which tells it from others. */
    private static String shortened(Hash id) {
        return id.toString().substring(0, 8);
    }

    /** No answer came in time. */
    record TimedOut(long afterMillis) implements Failure {
        @Override
        public String sentence() {
            return "no answer within " + afterMillis + " ms";
        }
    }

    /** An update was answered or sent, and no confirmation of it came in time. */
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

    /** The client cannot go on, because of its own defect or its own disk. */
    record Broken(String detail) implements Failure {
        @Override
        public String sentence() {
            return "the client cannot go on: " + detail;
        }
    }
}
