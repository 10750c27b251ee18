package org.aspas.emulab.testbed.attack;

import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Evidence;

/** Sees what becomes of evidence and certificates at correct appservers. Called by many threads; returns quickly. */
interface ServerWatch {
    /**
     * A correct server hands evidence on.
     *
     * @param by from whom it came; the server itself if it found it
     */
    void evidence(Evidence evidence, String by);

    /** A correct server takes a proved case to the bftservers. */
    void verdict(int server, Evidence evidence);

    /**
     * A correct server gives the bftservers evidence that proves its case with findings of f+1 servers only.
     *
     * @param verdict the encoding of the signed verdict, with these findings
     */
    default void findings(Evidence evidence, byte[] verdict) {}

    /** A correct server adopts a certificate. */
    void certificate(int server, Certificate certificate);
}
