/** Tests of {@code org.aspas.emulab.cli}: the commands as a user runs them. */
package org.aspas.emulab.cli;
