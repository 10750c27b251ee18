package org.aspas.certify.identity;

import java.nio.charset.StandardCharsets;

/** What a signature is for. The tag is the first thing under every signature, so that none can be moved to another use. */
public enum Domain {
    /** A client's update (REQUEST, paper §3.4). */
    REQUEST("request"),
    /** A client's session and its tolerance (paper §3.4). */
    SESSION("session"),
    /** An appserver's answer (RESPONSE, paper §3.4). */
    RESPONSE("response"),
    /** The size and root of an origin log. */
    HEAD("head"),
    /** An appserver's report to the BFT cluster (VERTOBFT, paper §3.5). */
    VERTOBFT("vertobft"),
    /** An appserver's answer to the BFT cluster (STABLE, paper §3.5). */
    STABLE("stable"),
    /** The BFT cluster's question (BFTREQSTABLE, paper §3.5), signed by one replica. */
    BFTREQSTABLE("bftreqstable"),
    /** One replica's step of ordered time. */
    TICK("tick"),
    /** One replica's word that it has made a certificate's content durable. */
    ACCEPT("accept"),
    /** One replica's word that it has made the proof that a content was accepted durable. */
    COMMIT("commit"),
    /** What one replica's durable record holds. */
    RECOVER("recover"),
    /** One replica's share of a certificate. */
    CERTIFICATE("certificate"),
    /** A client's question that is no session and no update: for its standing, or an inspection. */
    INQUIRY("inquiry"),
    /** An appserver's word on the standing of a client's updates. */
    STANDING("standing"),
    /** An appserver's recomputation of another's answer (INSPECTREPLY, paper §3.6). */
    INSPECTREPLY("inspectreply"),
    /** A client's complaint (COMPLAIN, paper §3.6). */
    COMPLAINT("complaint"),
    /** An appserver's verdict on evidence (BLACKLIST, paper §3.6). */
    BLACKLIST("blacklist"),
    /** An appserver's command to exclude. */
    VERDICT("verdict"),
    /** The operator's signature of the deployment descriptor. */
    DEPLOYMENT("deployment");

    private final String label;
    private final byte[] prefix;

    Domain(String name) {
        this.label = name;
        this.prefix = ("aspas/v1/" + name + "\0").getBytes(StandardCharsets.UTF_8);
    }

    /** Its name under signatures, for people and programs: lower-case letters. */
    public String label() {
        return label;
    }

    /** The text that is signed: tag, zero byte, deployment id, and the exact bytes that travel. */
    byte[] signedText(Hash deployment, byte[] payload) {
        byte[] id = deployment.toBytes();
        byte[] text = new byte[prefix.length + id.length + payload.length];
        System.arraycopy(prefix, 0, text, 0, prefix.length);
        System.arraycopy(id, 0, text, prefix.length, id.length);
        System.arraycopy(payload, 0, text, prefix.length + id.length, payload.length);
        return text;
    }
}
