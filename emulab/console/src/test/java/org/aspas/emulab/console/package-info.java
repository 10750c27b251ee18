/** Tests of the console, through its HTTP interface. */
package org.aspas.emulab.console;
