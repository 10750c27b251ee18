package org.aspas.appserver.core.state;

/**
 * Something has happened to an object that is watched.
 *
 * @param view the object now: what lies between two changes is left out
 */
public record ObjectChange(Kind kind, ObjectView view) {
    public enum Kind {
        /** Updates were taken out of the live view: their origin is excluded, or its log is another one. */
        REVOKED,
        /** A certificate covers updates of the object. */
        CERTIFIED,
        /** Updates were brought into the live view. */
        LOCAL
    }
}
