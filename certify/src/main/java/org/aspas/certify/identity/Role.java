package org.aspas.certify.identity;

/** The two kinds of server that a deployment descriptor lists (paper §3.1). */
public enum Role {
    /** A second-tier server that answers clients and applies operations. */
    APPSERVER,
    /** A third-tier replica that orders reports and signs certificates. */
    BFTSERVER
}
