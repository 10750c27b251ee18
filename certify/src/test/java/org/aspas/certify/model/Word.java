package org.aspas.certify.model;

/** What a bftserver signs and brings into the order, without its bytes: contents and proofs by their names. */
sealed interface Word {
    /** Whose word it is. */
    int replica();

    /** The same word where replicas have other names. */
    Word renamed(int[] names);

    /** An ACCEPT of a content in an attempt. */
    record Accepting(int replica, int content, int attempt) implements Word {
        @Override
        public Word renamed(int[] names) {
            return new Accepting(names[replica], content, attempt);
        }
    }

    /** A COMMIT to a content in an attempt. */
    record Committing(int replica, int content, int attempt) implements Word {
        @Override
        public Word renamed(int[] names) {
            return new Committing(names[replica], content, attempt);
        }
    }

    /** A replica's COMMIT to a proof, or its ACCEPT that is a part of it. */
    static Word of(boolean commits, int replica, Proof proof) {
        return commits
                ? new Committing(replica, proof.content(), proof.attempt())
                : new Accepting(replica, proof.content(), proof.attempt());
    }

    /** The start of a replica's process, or none. */
    record Start(int replica, int count) {
        static final Start NONE = new Start(-1, 0);

        Start renamed(int[] names) {
            return replica < 0 ? this : new Start(names[replica], count);
        }
    }

    /** A content with the attempt in which 2b+1 accepted it, or none. Which 2b+1 they are makes no difference to anybody. */
    record Proof(int content, int attempt) {
        static final Proof NONE = new Proof(-1, 0);

        boolean present() {
            return content >= 0;
        }
    }

    /** A RECOVER, without its epoch. */
    record Stating(Start start, Start answers, boolean knowing, long number, long attempt, Proof proof)
            implements Word {
        /** What everybody with a record said on the first day, and the liar can repeat on every later one. */
        static Stating blank(int replica) {
            return new Stating(new Start(replica, 0), Start.NONE, true, 0, 0, Proof.NONE);
        }

        @Override
        public int replica() {
            return start.replica();
        }

        @Override
        public Word renamed(int[] names) {
            return new Stating(start.renamed(names), answers.renamed(names), knowing, number, attempt, proof);
        }
    }
}
