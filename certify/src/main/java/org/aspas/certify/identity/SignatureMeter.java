package org.aspas.certify.identity;

/** Is told of each public-key operation as one is made. What a memory of verified messages saves is none. Thread-safe. */
public interface SignatureMeter {
    SignatureMeter NONE = new SignatureMeter() {
        @Override
        public void signed(Domain use) {}

        @Override
        public void verified(Domain use) {}
    };

    void signed(Domain use);

    /** A signature for this use was verified, with whatever result. */
    void verified(Domain use);
}
